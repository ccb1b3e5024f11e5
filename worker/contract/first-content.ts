/** The parts of a new site's content that the firm has to replace. */

export const firstBrandName = 'Your firm';

/** The sentence that marks a text as an example. The example texts of the business pages begin with it. */
export const exampleMark = 'This is an example.';
