"""What matches say of a question: scores with their errors, sequential tests. Pure."""
