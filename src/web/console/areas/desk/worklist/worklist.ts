import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { defineLive, withEntry } from '../../../data/live.ts'

export const worklistFields = graphql(`
  fragment WorklistFields on WorklistEntry {
    id
    phoneNumber
    leadId
    status
    dueAt
    missedCount
    lastMissedAt
    tries
    lastTriedAt
    callbacks {
      id
      at
    }
    claim {
      id
      agentId
      agentName
      until
    }
    assignee {
      id
      agentId
      name
    }
  }
`)
export type WorklistEntry = ResultOf<typeof worklistFields>

const worklistChanges = graphql(
  `
    subscription WorklistChanges {
      worklistChanges {
        id
        entry {
          ...WorklistFields
        }
      }
    }
  `,
  [worklistFields],
)

export const claimEntry = graphql(`
  mutation ClaimEntry($id: ID!) {
    claimWorklistEntry(id: $id) {
      id
      claim {
        id
        until
      }
    }
  }
`)
export const giveBackEntry = graphql(`
  mutation GiveBackEntry($id: ID!) {
    giveBackWorklistEntry(id: $id) {
      id
      status
    }
  }
`)
export const finishEntry = graphql(`
  mutation FinishEntry($id: ID!, $outcome: WorklistOutcome!) {
    finishWorklistEntry(id: $id, outcome: $outcome) {
      id
      status
    }
  }
`)

export const scheduleEntry = graphql(`
  mutation ScheduleEntry($id: ID!, $dueAt: DateTime!) {
    scheduleWorklistEntry(id: $id, dueAt: $dueAt) {
      id
      dueAt
    }
  }
`)

/** The open entries by id. */
export const worklistLive = defineLive(worklistChanges, {
  initial: noEntries(),
  reduce: (entries, { worklistChanges: { id, entry } }) => withEntry(entries, id, entry.status === 'CLOSED' ? null : entry),
})

function noEntries(): ReadonlyMap<string, WorklistEntry> {
  return new Map()
}

/** An agent's own: those who have claimed the person, else those who promised the callback or to whom a manager gave the person. */
export function isOf(agentId: string | undefined, entry: WorklistEntry, now: number): boolean {
  const owner = claimOf(entry, now) ?? entry.assignee
  return owner !== null && owner.agentId === agentId
}

/** Nothing reports that a claim ended by its time. */
export function claimOf({ claim }: WorklistEntry, now: number): WorklistEntry['claim'] {
  return claim && (claim.until === null || Date.parse(claim.until) > now) ? claim : null
}
