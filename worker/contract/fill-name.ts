/** The placeholder for the firm's name in texts of the content. */
export const placeholder = '{name}';

/** @param name the name of the firm */
export const fillName = (text: string, name: string): string => text.replaceAll(placeholder, () => name);
