import { useCallback, useEffect } from 'react'
import { useMember } from '../session/session.ts'
import { graphql } from './graphql.ts'
import { service } from './service-client.ts'
import { createStore, useStore } from './store.ts'

const leadNamesDocument = graphql(`
  query LeadNames($ids: [ID!]!) {
    leadSummaries(ids: $ids) {
      id
      name
    }
  }
`)

/** What the service takes at once. */
const mostIds = 200
const mostNames = 5_000
const tryAgainMs = 5_000
/** Somebody may have changed the name. */
const askAgainMs = 5 * 60_000

export type NameOf = (leadId: string | null) => string | null

/** By member and lead: the next member who signs in here may read others. */
const names = createStore<ReadonlyMap<string, string>>(new Map())
const askedAt = new Map<string, number>()

/** The names of the leads of a list, asked for together. Null for a lead that is not read yet, that is gone, or that the member may not read. */
export function useLeadNames(leadIds: readonly (string | null)[]): NameOf {
  const { memberId } = useMember()
  const known = useStore(names)
  const wanted = [...new Set(leadIds)].filter((id) => id !== null).join(' ')
  useEffect(() => {
    if (wanted !== '') void readNames(memberId, wanted.split(' '))
  }, [memberId, wanted])
  return useCallback((leadId) => known.get(`${memberId} ${leadId}`) ?? null, [known, memberId])
}

async function readNames(memberId: string, leadIds: readonly string[], isLast = false): Promise<void> {
  const now = Date.now()
  const keyOf = (id: string): string => `${memberId} ${id}`
  const due = leadIds.filter((id) => now - (askedAt.get(keyOf(id)) ?? 0) > askAgainMs)
  if (askedAt.size > mostNames) askedAt.clear()
  for (const id of due) askedAt.set(keyOf(id), now)
  for (let at = 0; at < due.length; at += mostIds) {
    const ids = due.slice(at, at + mostIds)
    try {
      const { leadSummaries } = await service.execute(leadNamesDocument, { ids })
      const found = leadSummaries.map(({ id, name }) => [keyOf(id), name] as const)
      names.set(new Map([...names.get(), ...found].slice(-mostNames)))
    } catch {
      // The number is there without the name. It asks once more, and when the list changes.
      for (const id of ids) askedAt.delete(keyOf(id))
      if (!isLast) setTimeout(() => void readNames(memberId, ids, true), tryAgainMs)
    }
  }
}
