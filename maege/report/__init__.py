"""`maege report`: what the published marts say, as one page of pictures, tables and words."""
