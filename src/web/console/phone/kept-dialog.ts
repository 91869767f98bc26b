/** The call of this tab's phone, as it is needed to bring it back after a reload (RFC 3891). */
export type KeptDialog = {
  readonly replaces: string
  readonly target: string
  readonly number: string
  readonly isMuted: boolean
}

const key = 'console-phone-call'

export function keepDialog(dialog: KeptDialog): void {
  sessionStorage.setItem(key, JSON.stringify(dialog))
}

export function keepMuted(isMuted: boolean): void {
  const kept = readKept()
  if (kept) keepDialog({ ...kept, isMuted })
}

export function forgetDialog(): void {
  sessionStorage.removeItem(key)
}

export function hasKeptDialog(): boolean {
  return readKept() !== null
}

/** The call that the page had when it was left, once. */
export function takeKeptDialog(): KeptDialog | null {
  const kept = readKept()
  forgetDialog()
  return kept
}

function readKept(): KeptDialog | null {
  const stored = sessionStorage.getItem(key)
  return stored === null ? null : asDialog(JSON.parse(stored))
}

/** This page wrote it. */
function asDialog(stored: unknown): KeptDialog
function asDialog(stored: unknown): unknown {
  return stored
}
