import { type AlertOutbox, createAlertOutbox } from '../features/alerts/alert-outbox.ts'
import { evaluateAlerts } from '../features/alerts/evaluate-alerts.ts'
import { alertResolvers } from '../features/alerts/resolvers.ts'
import type { AuthPorts } from '../features/auth/auth-ports.ts'
import { createAuthState } from '../features/auth/auth-state.ts'
import { authResolvers } from '../features/auth/resolvers.ts'
import { signOutGoneMember } from '../features/auth/sign-out-gone-member.ts'
import { callTasks } from '../features/calls/due-tasks.ts'
import type { CallPorts } from '../features/calls/state/call-ports.ts'
import { callResolvers } from '../features/calls/resolvers.ts'
import { createLimiters } from '../providers/store/rate-limiter.ts'
import type { Resolvers } from '../generated.ts'
import { doctorResolvers } from '../features/doctors/resolvers.ts'
import { eventResolvers } from '../features/events/resolvers.ts'
import { keepHistory } from '../features/history/keep-history.ts'
import { historyResolvers } from '../features/history/resolvers.ts'
import { insightResolvers } from '../features/insights/resolvers.ts'
import { createAgentRecordCache } from '../features/sessions/agent-record-cache.ts'
import { cleanUpSessions } from '../features/sessions/clean-up-sessions.ts'
import { sessionResolvers } from '../features/sessions/resolvers.ts'
import type { Settings } from '../settings/settings.ts'
import { readWizardRequired } from '../features/setup/detected-setup.ts'
import { supervisionResolvers } from '../features/supervision/resolvers.ts'
import { completeTodaysCalls } from '../features/supervision/complete-todays-calls.ts'
import type { SupervisionPorts } from '../features/supervision/supervision-ports.ts'
import { createSupervisionState } from '../features/supervision/supervision-state.ts'
import { closingLeftOpenLinks, reportLeftOpenLinks } from '../features/team/left-open-links.ts'
import { teamResolvers } from '../features/team/resolvers.ts'
import { createTeamState, type TeamPorts } from '../features/team/team-ports.ts'
import { notePassword } from '../features/team/temporary-passwords.ts'
import { administrationResolvers } from './administration.ts'
import { callJobs, callPorts, consumeEvents } from './calls.ts'
import { openRecordings, type Recordings } from './recordings.ts'
import { recordingResolvers } from '../features/recordings/resolvers.ts'
import { scorecardResolvers } from '../features/recordings/scorecards/resolvers.ts'
import { maintainTranscriptIndex } from '../features/recordings/search/maintain-index.ts'
import type { WiredPorts } from './ports.ts'
import { widgetResolvers } from '../features/widget/resolvers.ts'
import { createWidget } from '../features/widget/widget.ts'
import { createDueWork, type DueWork } from '../ports/due/due-work.ts'
import type { WidgetPorts } from '../features/widget/widget-ports.ts'

/** Use cases behind their resolvers, and what runs without being asked. */
export type Features = Pick<AuthPorts, 'refusedTokens' | 'signIns' | 'credentialGate' | 'principals'> & {
  readonly resolvers: readonly Resolvers[]
  readonly calls: CallPorts
  readonly alertOutbox: AlertOutbox
  readonly scheduledJobs: readonly ScheduledJob[]
  readonly dueWork: DueWork
  readonly recordings: Recordings
  readonly widget: WidgetPorts & Disposable
  readonly supervision: SupervisionPorts
}

/** Work that is due again and again; it must stand being run on several instances at once. */
export type ScheduledJob = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<unknown> }

export function createFeatures(settings: Settings, ports: WiredPorts): Features {
  const temporaryPasswordMs = settings.temporaryPasswordHours * 3_600_000
  const passwords = { ...ports, teamBox: ports.boxFor('team'), temporaryPasswordMs }
  const authPorts = createAuthPorts(settings, ports, {
    onPasswordProved: (owner, password) => notePassword(passwords, owner, password),
    wizardRequired: (actor) => readWizardRequired({ ...ports, fingerprintKey: ports.keyFor('configuration fingerprints') }, actor),
  })
  ports.onMemberGone((accessToken) => void signOutGoneMember(authPorts, accessToken))
  const calls = callPorts(settings, authPorts)
  consumeEvents(authPorts)
  const teamPorts: TeamPorts = { ...authPorts, ...passwords, ...createTeamState(), isShared: settings.redisUrl !== null }
  const recordings = openRecordings(settings, authPorts)
  const widget = createWidget(authPorts, createLimiters(ports))
  const supervision = { ...authPorts, ...createSupervisionState(authPorts) }
  const alertOutbox = createAlertOutbox(authPorts)
  const dueWork = createDueWork(authPorts, [...callTasks(calls), cleanUpSessions(authPorts)])
  return {
    ...authPorts,
    resolvers: [
      alertResolvers(authPorts),
      authResolvers(authPorts),
      sessionResolvers(authPorts),
      supervisionResolvers(supervision),
      historyResolvers(supervision),
      callResolvers(calls),
      recordingResolvers(recordings),
      scorecardResolvers(recordings),
      doctorResolvers(authPorts),
      teamResolvers(teamPorts),
      widgetResolvers(widget),
      insightResolvers(authPorts),
      eventResolvers({ ...authPorts, bus: dueWork.replayedBy(authPorts.bus) }),
      ...administrationResolvers(settings, ports, calls),
    ],
    principals: closingLeftOpenLinks(teamPorts, authPorts.principals),
    calls,
    alertOutbox,
    dueWork,
    recordings,
    widget,
    supervision,
    scheduledJobs: [
      ...callJobs(calls),
      { name: 'recordings', everyMs: 1_000, run: () => recordings.begin() },
      { name: 'transcripts', everyMs: 15_000, run: () => maintainTranscriptIndex(ports) },
      { name: 'due work', everyMs: 500, run: () => dueWork.begin() },
      { name: 'refused tokens', everyMs: 60_000, run: () => authPorts.refusedTokens.load() },
      { name: "today's calls", everyMs: 15_000, run: () => completeTodaysCalls(supervision) },
      { name: 'alerts', everyMs: 2_000, run: () => evaluateAlerts({ ...authPorts, alertOutbox }) },
      { name: 'history', everyMs: 10_000, run: () => keepHistory(supervision) },
      { name: 'invite links', everyMs: 60_000, run: () => reportLeftOpenLinks(teamPorts) },
    ],
  }
}

/** What every feature shares: the ports, the sessions and who may act. */
function createAuthPorts(settings: Settings, ports: WiredPorts, hooks: Pick<AuthPorts, 'wizardRequired' | 'onPasswordProved'>) {
  const sessionBox = ports.boxFor('sessions')
  const { awayMs: platformAwayMs } = settings.platform
  const common = {
    ...ports,
    ...hooks,
    sessionBox,
    agentRecordCache: createAgentRecordCache({ ...ports, sessionBox, platformAwayMs }),
    servedWorkspaces: { workspaces: settings.workspaces, template: settings.platform.workspaceUrl },
    platformAwayMs,
  }
  return { ...common, ...createAuthState(common, createLimiters(ports)) }
}
