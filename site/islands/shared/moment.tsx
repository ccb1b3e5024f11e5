/** A point in time as the reader's clock shows it. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** @param at ISO 8601 */
export function Moment({ at, className }: { readonly at: string; readonly className?: string | undefined }) {
  return (
    <time dateTime={at} className={className}>
      {format.format(new Date(at))}
    </time>
  );
}
