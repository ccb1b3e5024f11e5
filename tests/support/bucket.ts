/** A bucket of a test's own: R2 as wrangler emulates it, reached from this process. */
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

export async function openBucket(): Promise<{ files: R2Bucket; close: () => Promise<void> }> {
  const workerd = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: 'export default {};', r2Buckets: ['FILES'] }),
  );
  const files = (await workerd.getR2Bucket('FILES')) as unknown as R2Bucket;
  return { files, close: () => workerd.dispose() };
}
