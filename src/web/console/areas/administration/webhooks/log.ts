import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { keysOf } from '../../../data/keys.ts'
import type { Tone } from '../../../ui/badge.tsx'

const webhookFields = graphql(`
  fragment WebhookFields on ReceivedWebhook {
    id
    provider
    receivedAt
    verdict
    about
    ucid
    reason
    detail
    durationMs
    replayOf
    replayedAt
    canReplay
  }
`)
export type ReceivedWebhook = ResultOf<typeof webhookFields>
export type Verdict = ReceivedWebhook['verdict']

export const logDocument = graphql(
  `
    query WebhookLog($provider: TelephonyProvider, $verdict: WebhookVerdict, $ucid: ID, $from: DateTime, $after: String) {
      webhookLog(provider: $provider, verdict: $verdict, ucid: $ucid, from: $from, first: 50, after: $after) {
        nodes {
          ...WebhookFields
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [webhookFields],
)
export type Log = ResultOf<typeof logDocument>

export const statusDocument = graphql(`
  query WebhookStatus {
    webhookStatus {
      id
      provider
      lastReceivedAt
      lastHandledAt
      accepted
      duplicates
      ignored
      refused
      failed
      notListed
    }
    liveEvents {
      id
      status
      lastEventAt
      problem
      nextTryAt
    }
    webhookKeys {
      id
      provider
      createdAt
    }
  }
`)
export type Status = ResultOf<typeof statusDocument>
export type ProviderStatus = Status['webhookStatus'][number]

export const replayOne = graphql(`
  mutation ReplayWebhook($id: ID!) {
    replayWebhook(id: $id) {
      replayed
      failed
      remaining
    }
  }
`)
export const replayAll = graphql(`
  mutation ReplayWebhooks {
    replayWebhooks {
      replayed
      failed
      remaining
    }
  }
`)
export type Replay = ResultOf<typeof replayAll>['replayWebhooks']

export const rotateAddress = graphql(`
  mutation RotateWebhookKey($provider: TelephonyProvider!) {
    rotateWebhookKey(provider: $provider) {
      provider
      path
      formerValidUntil
    }
  }
`)

export const verdictTones: Readonly<Record<Verdict, Tone>> = {
  ACCEPTED: 'good',
  DUPLICATE: 'neutral',
  IGNORED: 'neutral',
  REFUSED: 'warn',
  FAILED: 'bad',
}
export const verdicts = keysOf(verdictTones)
