/** Which fields of a form change when another customer is found. */

type Texts = Readonly<Partial<Record<string, string>>>;

/**
 * What somebody has typed stays. A field that is empty, or still has what was filled in before, gets the new text.
 * @param typed the values of the fields
 * @param before what was filled in last
 * @param known what is to be filled in
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
