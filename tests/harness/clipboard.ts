import type { ConsolePage } from './console.ts'

/** With which a page of the console may use the clipboard. */
export const permissions = ['clipboard-read', 'clipboard-write']

export const copied = ({ page }: ConsolePage): Promise<unknown> => page.evaluate('navigator.clipboard.readText()')
