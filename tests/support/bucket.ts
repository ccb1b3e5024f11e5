/** A separate bucket for a test: R2 as wrangler emulates it, called from this process. */
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

export async function openBucket(): Promise<{ files: R2Bucket; close: () => Promise<void> }> {
  const workerd = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: 'export default {};', r2Buckets: ['FILES'] }),
  );
  const bucket = (await workerd.getR2Bucket('FILES')) as unknown as R2Bucket;
  // A stream of this process cannot be passed to workerd.
  const put = async (key: string, body: unknown, options?: R2PutOptions) =>
    bucket.put(
      key,
      body instanceof ReadableStream
        ? await new Response(body as BodyInit).arrayBuffer()
        : (body as Parameters<R2Bucket['put']>[1]),
      options,
    );
  const files = new Proxy(bucket, {
    get: (target, name) => (name === 'put' ? put : (Reflect.get(target, name) as unknown)),
  });
  return { files, close: () => workerd.dispose() };
}
