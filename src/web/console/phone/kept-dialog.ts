/** The call of this tab's phone, as it is needed to bring it back after a reload (RFC 3891). */
export type KeptDialog = {
  readonly replaces: string
  readonly target: string
  readonly number: string
  readonly isMuted: boolean
}

const key = 'console-phone-call'
const ucidKey = 'console-phone-ucid'

export function keepDialog(dialog: KeptDialog): void {
  sessionStorage.setItem(key, JSON.stringify(dialog))
}

export function keepMuted(isMuted: boolean): void {
  const kept = readKeptDialog()
  if (kept) keepDialog({ ...kept, isMuted })
}

export function forgetDialog(): void {
  sessionStorage.removeItem(key)
}

/** The UCID of the phone's last call that the service knew too: only of that one can the service say that it is over. */
export function storeUcid(ucid: string): void {
  sessionStorage.setItem(ucidKey, ucid)
}

export function readUcid(): string | null {
  return sessionStorage.getItem(ucidKey)
}

export function forgetUcid(): void {
  sessionStorage.removeItem(ucidKey)
}

/** The call that the page had when it was left. It stays until the call is back or over: the page may be left again before. */
export function readKeptDialog(): KeptDialog | null {
  const stored = sessionStorage.getItem(key)
  return stored === null ? null : asDialog(JSON.parse(stored))
}

/** This page wrote it. */
function asDialog(stored: unknown): KeptDialog
function asDialog(stored: unknown): unknown {
  return stored
}
