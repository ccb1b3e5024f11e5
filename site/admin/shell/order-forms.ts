/** The URL fragments that open an order's most common forms. */
export const orderForms = { deliver: '#deliver', refund: '#refund' } as const;
