/**
 * Tests of accounts hash hundreds of passwords. Under this change of `worker/accounts/password-hash.ts` a hash costs
 * little, and its turn comes at once. A hash states its cost, so one at full cost matches as well.
 */
export const hashFile = /\/password-hash\.ts$/;

export const makeHashesCheap = (source: string): string =>
  source.replace('logN: 14', 'logN: 4').replace('restMs = 50', 'restMs = 0');
