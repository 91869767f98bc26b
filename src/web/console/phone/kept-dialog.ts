/** The call of this tab's phone, as it is needed to bring it back after a reload (RFC 3891). */
export type KeptDialog = {
  readonly replaces: string
  readonly target: string
  readonly number: string
  readonly isMuted: boolean
  readonly at: number
}

const key = 'console-phone-call'
/** A server gives a call up some time after its audio stopped. */
const usefulMs = 60_000

export function keepDialog(dialog: Omit<KeptDialog, 'at'>): void {
  sessionStorage.setItem(key, JSON.stringify({ ...dialog, at: Date.now() }))
}

export function forgetDialog(): void {
  sessionStorage.removeItem(key)
}

/** The call that the page had when it was left, once. */
export function takeKeptDialog(): KeptDialog | null {
  const stored = sessionStorage.getItem(key)
  forgetDialog()
  if (stored === null) return null
  const dialog = asDialog(JSON.parse(stored))
  return Date.now() - dialog.at < usefulMs ? dialog : null
}

/** This page wrote it. */
function asDialog(stored: unknown): KeptDialog
function asDialog(stored: unknown): unknown {
  return stored
}
