/** Imported first, before anything reads the environment: a deletion waits ten seconds for earlier writes, as on AWS. */
process.env.SETTLE_SECONDS = '10';
