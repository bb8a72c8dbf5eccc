"""Values as text for people and programs, and as pages for a browser. Pure."""
