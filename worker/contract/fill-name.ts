/** The placeholder for the firm's name in texts of the content, and for the customer's name in saved answers. */
export const placeholder = '{name}';

export const fillName = (text: string, name: string): string => text.replaceAll(placeholder, () => name);
