import { graphql, type ResultOf } from '../../../data/graphql.ts'

const stateFields = graphql(`
  fragment SetupFields on SetupState {
    id
    steps {
      id
      step
      complete
      completedAt
      detected
      found
    }
    dismissed
    wizardRequired
  }
`)
export type SetupStep = ResultOf<typeof stateFields>['steps'][number]
export type StepName = SetupStep['step']

/** What a hospital can do without. A person marks it, so that the rest of the setup can be finished. */
export function isOptional({ step }: Pick<SetupStep, 'step'>): boolean {
  return step === 'AI' || step === 'WIDGET'
}

/** What the service finds counts, also if nobody has gone through the step. A mark counts where it cannot find out, and for what is not needed. */
export function isDone(step: Pick<SetupStep, 'step' | 'detected' | 'complete'>): boolean {
  return step.detected === true || (step.complete && (step.detected === null || isOptional(step)))
}

export const setupQuery = graphql(
  `
    query Setup {
      setupState {
        ...SetupFields
      }
    }
  `,
  [stateFields],
)
export const markStep = graphql(
  `
    mutation MarkSetupStep($step: SetupStepName!, $complete: Boolean!) {
      setupStep(step: $step, complete: $complete) {
        ...SetupFields
      }
    }
  `,
  [stateFields],
)
export const provision = graphql(`
  mutation Provision($apply: Boolean!) {
    provision(apply: $apply) {
      applied
      complete
      items {
        kind
        name
        state
        detail
      }
    }
  }
`)
export type Provisioning = ResultOf<typeof provision>['provision']

export const teamQuery = graphql(`
  query SetupTeam {
    teamMembers(first: 6) {
      totalCount
      nodes {
        id
        firstName
        lastName
        email
        role
        agentId
      }
    }
  }
`)
export const webhooksQuery = graphql(`
  query SetupWebhooks {
    webhookKeys {
      id
      provider
      createdAt
    }
    liveEvents {
      id
      status
      problem
    }
  }
`)
export const newWebhookAddress = graphql(`
  mutation NewWebhookAddress($provider: TelephonyProvider!) {
    rotateWebhookKey(provider: $provider) {
      provider
      path
      createdAt
      formerValidUntil
    }
  }
`)
export const widgetKeysQuery = graphql(`
  query SetupWidgetKeys {
    widgetKeys {
      id
      key
      origins
    }
  }
`)
export const newWidgetKey = graphql(`
  mutation NewWidgetKey($origins: [String!]!) {
    createWidgetKey(input: { origins: $origins }) {
      id
      key
      origins
    }
  }
`)
export const firstCallQuery = graphql(`
  query FirstCall {
    telephony: configuration(section: TELEPHONY)
  }
`)
export const callsLive = graphql(`
  subscription SetupCalls {
    supervisionUpdates {
      id
      agents {
        agentId
        agentName
      }
      callsNow {
        id
        calls {
          id
          phase
          phoneNumber
          dialledNumber
          agentName
        }
      }
    }
  }
`)
