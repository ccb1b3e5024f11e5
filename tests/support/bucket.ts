/** R2 and Images as wrangler emulates them, called from this process. Its tests share one runtime. */
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

declare global {
  var sharedRuntime: { readonly miniflare: Miniflare; buckets: number } | undefined;
}

const names = Array.from({ length: 200 }, (_, index) => `FILES_${String(index)}`);

const openRuntime = () =>
  (globalThis.sharedRuntime ??= {
    miniflare: new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: 'export default {};',
        r2Buckets: names,
        images: { binding: 'IMAGES' },
      }),
    ),
    buckets: 0,
  });

/**
 * A new, empty bucket.
 * @param onCall called for each call of the bucket, with its method
 */
export async function openBucket(onCall?: (method: string) => void): Promise<R2Bucket> {
  const runtime = openRuntime();
  const name = names[runtime.buckets];
  if (name === undefined) throw new Error('The runtime needs more buckets.');
  runtime.buckets += 1;
  const bucket = (await runtime.miniflare.getR2Bucket(name)) as unknown as R2Bucket;
  // A stream of this process cannot be passed to workerd.
  const put = async (key: string, body: unknown, options?: R2PutOptions) =>
    bucket.put(
      key,
      body instanceof ReadableStream
        ? await new Response(body as BodyInit).arrayBuffer()
        : (body as Parameters<R2Bucket['put']>[1]),
      options,
    );
  return new Proxy(bucket, {
    get: (target, property) => {
      if (typeof property === 'string' && property !== 'then') onCall?.(property);
      return property === 'put' ? put : (Reflect.get(target, property) as unknown);
    },
  });
}

export const openImages = async (): Promise<ImagesBinding> =>
  (await openRuntime().miniflare.getBindings<{ IMAGES: ImagesBinding }>()).IMAGES;
