"""What is known of each citation and quotation, the verdicts that follow, and the findings."""
