export const directions = ['INBOUND', 'OUTBOUND'] as const
export const statuses = ['COMPLETED', 'MISSED', 'ANSWERED', 'RINGING'] as const
export type CallFilters = { readonly direction: (typeof directions)[number] | null; readonly status: (typeof statuses)[number] | null }
