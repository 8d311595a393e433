"""The parts of the HTML page: what each shows, worked out before the template says how."""
