import type { ServiceError } from '@call-center-sidecar/client'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { graphql } from '../data/graphql.ts'
import { useAction } from '../data/use-action.ts'
import { DiallerContext } from '../ui/phone-number.tsx'
import { useCallSettings } from './agent-state.ts'
import { useCallTexts } from './call-texts.ts'
import { expectOwnCall } from './own-call.ts'

const dialDocument = graphql(`
  mutation Dial($input: DialInput!) {
    dial(input: $input) {
      ucid
      callId
      phoneNumber
    }
  }
`)

export type DialNumber = (phoneNumber: string, leadId?: string) => Promise<boolean>

/** Calls a number and shows the desk. The same number again within ten seconds is the same press: it makes one call. */
export function useDial(): { readonly dial: DialNumber; readonly isPending: boolean } {
  const texts = useCallTexts()
  const navigate = useNavigate()
  const keys = useRef(new Map<string, { readonly key: string; readonly at: number }>())
  const isLeadRefused = useRef(false)
  const explain = useCallback(
    ({ reason, data }: ServiceError) => {
      isLeadRefused.current = data?.fields?.some(({ path }) => path === 'input.leadId') === true
      return reason === 'ALREADY_CLAIMED' ? texts.alreadyClaimed(nameIn(data?.['claimedBy'])) : isLeadRefused.current
    },
    [texts],
  )
  const { run, isPending } = useAction(dialDocument, explain)
  const dial = useCallback<DialNumber>(
    async (phoneNumber, leadId) => {
      const idempotencyKey = keyFor(keys.current, phoneNumber)
      expectOwnCall()
      const input = { phoneNumber, idempotencyKey }
      isLeadRefused.current = false
      let data = await run({ input: { ...input, ...(leadId !== undefined && { leadId }) } })
      // Somebody deleted the lead, or this agent may not read it: the person is called all the same.
      if (isLeadRefused.current) data = await run({ input })
      if (data) await navigate({ to: '/desk' })
      else keys.current.delete(phoneNumber)
      return data !== null
    },
    [run, navigate],
  )
  return useMemo(() => ({ dial, isPending }), [dial, isPending])
}

const samePressMs = 10_000

function keyFor(keys: Map<string, { readonly key: string; readonly at: number }>, phoneNumber: string): string {
  const known = keys.get(phoneNumber)
  if (known && Date.now() - known.at < samePressMs) return known.key
  const key = crypto.randomUUID()
  keys.set(phoneNumber, { key, at: Date.now() })
  return key
}

function nameIn(claimedBy: unknown): string {
  return typeof claimedBy === 'object' && claimedBy !== null && 'name' in claimedBy ? String(claimedBy.name) : ''
}

/** Makes every number below it one that a press calls, if the provider can dial. */
export function Dialling({ children }: { readonly children: ReactNode }) {
  const texts = useCallTexts()
  const { capabilities } = useCallSettings()
  const { dial } = useDial()
  const canDial = capabilities.includes('DIAL')
  const dialler = useMemo(
    () => (canDial ? { dial: (number: string, leadId?: string) => void dial(number, leadId), labelOf: texts.callNumber } : null),
    [canDial, dial, texts],
  )
  return <DiallerContext value={dialler}>{children}</DiallerContext>
}
