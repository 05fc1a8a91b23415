"""Everything that the synchronous and the asynchronous client share: all of it but the I/O."""
