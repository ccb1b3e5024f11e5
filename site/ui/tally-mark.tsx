/**
 * The site's mark: four strokes and one across, as one counts on paper. Decoration.
 * @param size width in CSS pixels where text has its usual size
 */
export function TallyMark({ size = 40 }: { readonly size?: number }) {
  return (
    <svg
      viewBox="0 0 40 36"
      width={`${size / 16}rem`}
      height={`${(size * 0.9) / 16}rem`}
      fill="none"
      strokeWidth="3.6"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M9 14v18.7M17.3 10.4v22.3M25.6 6.8v25.9M33.9 3.2v29.5" stroke="var(--ink)" />
      <path d="M3.3 29.1 38 12.500" stroke="var(--accent)" />
    </svg>
  );
}
