import { graphql, type ResultOf } from '../../../data/graphql.ts'

export const auditDocument = graphql(`
  query AuditLog($memberId: ID, $targetId: ID, $action: String, $from: DateTime, $to: DateTime, $after: String) {
    auditLog(memberId: $memberId, targetId: $targetId, action: $action, from: $from, to: $to, first: 50, after: $after) {
      nodes {
        id
        at
        action
        actor {
          id
          memberId
          name
          ip
        }
        targetId
        targetName
        details {
          name
          value
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
export type AuditLog = ResultOf<typeof auditDocument>
export type AuditEntry = AuditLog['auditLog']['nodes'][number]

/** For the choice of a person: the newest hundred. Others are chosen by pressing their name in the log. */
export const peopleDocument = graphql(`
  query AuditPeople {
    teamMembers(first: 100) {
      nodes {
        id
        email
        firstName
        lastName
      }
    }
  }
`)

/** What is before the dot of an action: the filter takes it for all of them. */
export const subjects = [
  'member',
  'temporary-password',
  'session',
  'agent',
  'configuration',
  'setup',
  'platform',
  'widgetKey',
  'webhookKey',
  'webhook',
  'deadLetter',
  'worklist',
  'disposition',
  'call',
  'alert',
  'scorecard',
  'calls',
  'scorecards',
] as const
export type Subject = (typeof subjects)[number]
