"""Compare a quotation with the text that it quotes, word by word."""
