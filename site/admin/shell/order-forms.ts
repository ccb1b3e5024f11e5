/** The ends of an order's address that open the form for what is done with it most. */
export const orderForms = { deliver: '#deliver', refund: '#refund' } as const;
