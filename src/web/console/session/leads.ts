import { useCallback, useEffect } from 'react'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { service } from '../data/service-client.ts'
import { createStore, useStore } from '../state/store.ts'
import { useMember } from './session.ts'

const leadsDocument = graphql(`
  query Leads($ids: [ID!]!) {
    leadSummaries(ids: $ids) {
      id
      name
      phoneNumber
    }
  }
`)

/** What the service takes at once. */
const mostIds = 200
const mostLeads = 5_000
const tryAgainMs = 5_000
/** Somebody may have changed the name. */
const askAgainMs = 5 * 60_000

type Lead = ResultOf<typeof leadsDocument>['leadSummaries'][number]
export type NameOf = (leadId: string | null) => string | null

/** By member and lead: the next member who signs in here may read others. */
const leads = createStore<ReadonlyMap<string, Lead>>(new Map())
const askedAt = new Map<string, number>()

/** The names of the leads of a list, asked for together. Null for a lead that is not read yet, that is gone, or that the member may not read. */
export function useLeadNames(leadIds: readonly (string | null)[]): NameOf {
  useLeadsOf(leadIds)
  const { memberId } = useMember()
  const known = useStore(leads)
  return useCallback((leadId) => known.get(`${memberId} ${leadId}`)?.name ?? null, [known, memberId])
}

/** Asks for the leads of a list together. `useLead` has them, in the part of the page that shows one: only that is drawn again. */
export function useLeadsOf(leadIds: readonly (string | null)[]): void {
  const { memberId } = useMember()
  const wanted = [...new Set(leadIds)].filter((id) => id !== null).join(' ')
  useEffect(() => {
    if (wanted !== '') void readLeads(memberId, wanted.split(' '))
  }, [memberId, wanted])
}

/** A lead of a list that `useLeadsOf` asks for. Null if it is not read yet, if it is gone, or if the member may not read it. */
export function useLead(leadId: string | null): Lead | null {
  const { memberId } = useMember()
  return useStore({ subscribe: leads.subscribe, get: () => leads.get().get(`${memberId} ${leadId}`) ?? null })
}

async function readLeads(memberId: string, leadIds: readonly string[], isLast = false): Promise<void> {
  const now = Date.now()
  const keyOf = (id: string): string => `${memberId} ${id}`
  const due = leadIds.filter((id) => now - (askedAt.get(keyOf(id)) ?? 0) > askAgainMs)
  if (askedAt.size > mostLeads) askedAt.clear()
  for (const id of due) askedAt.set(keyOf(id), now)
  for (let at = 0; at < due.length; at += mostIds) {
    const ids = due.slice(at, at + mostIds)
    try {
      const { leadSummaries } = await service.execute(leadsDocument, { ids })
      const found = leadSummaries.map((lead) => [keyOf(lead.id), lead] as const)
      leads.set(new Map([...leads.get(), ...found].slice(-mostLeads)))
    } catch {
      // The number is there without the name. It asks once more, and when the list changes.
      for (const id of ids) askedAt.delete(keyOf(id))
      if (!isLast) setTimeout(() => void readLeads(memberId, ids, true), tryAgainMs)
    }
  }
}
