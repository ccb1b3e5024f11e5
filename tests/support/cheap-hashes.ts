/**
 * Tests of accounts hash hundreds of passwords. With this change to `worker/accounts/password-hash.ts`, a hash costs
 * little and does not wait. A hash states its cost, so a hash at full cost also matches.
 */
export const hashFile = /\/password-hash\.ts$/;

export const makeHashesCheap = (source: string): string =>
  source.replace('logN: 14', 'logN: 4').replace('restMs = 50', 'restMs = 0');
