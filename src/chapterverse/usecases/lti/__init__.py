"""What is done for learning platforms: Moodle, Canvas, and whatever else speaks LTI 1.3."""
