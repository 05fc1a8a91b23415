import fc from 'fast-check';

// Each mutant runs every test that reaches it: few cases, no shrinking, and a fixed seed, which finds the same
// survivors again.
fc.configureGlobal({ numRuns: 20, seed: 1, endOnFailure: true });
