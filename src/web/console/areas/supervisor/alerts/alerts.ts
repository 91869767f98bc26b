import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { defineLive, withEntry } from '../../../data/live.ts'
import type { useAlertTexts } from './texts.ts'

export const alertFields = graphql(`
  fragment AlertFields on Alert {
    id
    kind
    subjectName
    value
    threshold
    raisedAt
    clearedAt
    acknowledgedAt
    acknowledgedBy
  }
`)
export type Alert = ResultOf<typeof alertFields>

const alertChanges = graphql(
  `
    subscription AlertChanges {
      alertChanges {
        ...AlertFields
      }
    }
  `,
  [alertFields],
)

export const acknowledgeAlert = graphql(
  `
    mutation AcknowledgeAlert($id: ID!) {
      acknowledgeAlert(id: $id) {
        ...AlertFields
      }
    }
  `,
  [alertFields],
)

/** The active alerts by id. */
export const activeAlertsLive = defineLive(alertChanges, {
  initial: noAlerts(),
  reduce: (alerts, { alertChanges: alert }) => withEntry(alerts, alert.id, alert.clearedAt === null ? alert : null),
})

function noAlerts(): ReadonlyMap<string, Alert> {
  return new Map()
}

/** What the value and the threshold of each kind count. */
export const unitOf: Readonly<Record<Alert['kind'], 'calls' | 'minutes'>> = {
  MISSED_CALLS_WAITING: 'calls',
  LONGEST_WAIT: 'minutes',
  WRAP_UP: 'minutes',
  NO_AGENT_READY: 'minutes',
  PROVIDER_FAILING: 'minutes',
  WEBHOOKS_SILENT: 'minutes',
}

/** What the alert says, as one sentence. */
export function sentenceOf({ kind, value, subjectName }: Alert, texts: ReturnType<typeof useAlertTexts>): string {
  return texts[kind](value, subjectName ?? texts.unnamed)
}
