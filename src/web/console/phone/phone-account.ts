import { type Member, ServiceError } from '@call-center-sidecar/client'
import { useEffect, useState } from 'react'
import { beginAgentSession, type Phone, sessionStore, useMember, useSession } from '../session/session.ts'

type Sip = NonNullable<Phone['sip']>
const key = 'console-phone-account'

/**
 * The SIP credentials of the agent's sign-in: undefined until they are known, null if the agent has none. A reload keeps them in the tab's own
 * storage, so that a call is back at once and the session stays as it is. A tab that takes the lead without them begins the agent session again. The
 * same credentials are the same object: another one would be another phone, and end the call.
 */
export function usePhoneAccount(isLeading: boolean): Sip | null | undefined {
  const session = useSession()
  const member = useMember()
  const phone = session.kind === 'SIGNED_IN' ? session.phone : null
  const [known, setKnown] = useState<Sip | null | undefined>(() => readStored(member.memberId) ?? undefined)
  const account = phone ? phone.sip : known
  if (JSON.stringify(account) !== JSON.stringify(known)) setKnown(account)
  useEffect(() => {
    // After a sign-in that the provider refused, a reload tries it again.
    if (phone?.sip && phone.telephony.signedIn) sessionStorage.setItem(key, JSON.stringify({ memberId: member.memberId, sip: phone.sip }))
    else if (phone) sessionStorage.removeItem(key)
    else if (isLeading && known === undefined) return beginUntilDone(member)
    return undefined
  }, [phone, isLeading, known, member])
  return known
}

/** Without the credentials no call comes. Returns what ends it. */
function beginUntilDone(member: Member): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let [failures, isLeft] = [0, false]
  const begin = (): void =>
    void beginAgentSession(member).catch((error: unknown) => {
      const isWorthIt = !isLeft && error instanceof ServiceError && error.retryable
      if (isWorthIt) timer = setTimeout(begin, Math.min(30_000, 1_000 * 2 ** failures++))
    })
  begin()
  return () => {
    isLeft = true
    clearTimeout(timer)
  }
}

function readStored(memberId: string): Sip | null {
  const stored = sessionStorage.getItem(key)
  const account = stored === null ? null : asAccount(JSON.parse(stored))
  return account?.memberId === memberId ? account.sip : null
}

/** This page wrote it. */
function asAccount(stored: unknown): { readonly memberId: string; readonly sip: Sip }
function asAccount(stored: unknown): unknown {
  return stored
}

sessionStore.subscribe(() => {
  const { kind } = sessionStore.get()
  if (kind === 'SIGNED_OUT' || kind === 'LOCKED') sessionStorage.removeItem(key)
})
