/** Decides which fields to prefill when the form finds another customer. */

type Texts = Readonly<Partial<Record<string, string>>>;

/**
 * Keeps what the user typed. A field that is empty, or still has the previously prefilled text, gets the new text.
 * @param typed the current values of the fields
 * @param before the values that were prefilled last
 * @param known the values to prefill now
 * @returns the new values of the fields that change
 */
export const fillIn = (typed: Texts, before: Texts, known: Texts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(known).flatMap(([name, text = '']) => {
      const now = typed[name] ?? '';
      const isOurs = now === '' || now === before[name];
      return isOurs && now !== text ? [[name, text]] : [];
    }),
  );
