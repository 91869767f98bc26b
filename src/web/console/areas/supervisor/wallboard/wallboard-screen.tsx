import { useLayoutEffect } from 'react'
import { ErrorState } from '../../../data/error-state.tsx'
import { useLeadsOf } from '../../../session/leads.ts'
import { useLive } from '../../../data/live.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { tickSecond, useNow } from '../../../ui/now.ts'
import { Skeleton } from '../../../ui/states.tsx'
import { ActiveAlerts } from '../alerts/active-alerts.tsx'
import { AgentsBoard } from './agents-board.tsx'
import { Figures } from './figures.tsx'
import { MissedCalls } from './missed-calls.tsx'
import { type Wallboard, wallboardLive } from './overview.ts'
import { RingingCalls } from './ringing-calls.tsx'
import { useWallboardTexts } from './texts.ts'
import { TodayByHour } from './today-by-hour.tsx'
import '../supervisor.css'
import './wallboard.css'

/** What happens now: agents, calls, missed calls and the figures of today, as the service reports them. */
export function WallboardScreen() {
  const texts = useWallboardTexts()
  const { state, isCurrent, error } = useLive(wallboardLive)
  // One frame for an update and the timers: with many agents each frame costs as much as the update itself.
  useLayoutEffect(tickSecond, [state])
  return (
    <Page title={texts.title} lead={<Clock isCurrent={isCurrent} />} isWide>
      {error ? (
        <Card>
          <ErrorState error={error} />
        </Card>
      ) : state ? (
        <Board {...state} />
      ) : (
        <Card>
          <Skeleton rows={8} />
        </Card>
      )}
    </Page>
  )
}

function Board({ overview, agents }: Wallboard) {
  const texts = useWallboardTexts()
  const { today, callsNow, missedWaiting } = overview
  useLeadsOf([...callsNow.calls, ...missedWaiting.calls].map(({ leadId }) => leadId))
  return (
    <>
      <ActiveAlerts />
      {!today.complete && <Notice tone="info" title={texts.incomplete} />}
      <Figures overview={overview} />
      <div className="wall-columns">
        <AgentsBoard agents={agents} />
        <div className="wall-side">
          <RingingCalls callsNow={callsNow} />
          <MissedCalls waiting={missedWaiting} agents={agents} />
          <TodayByHour today={today} />
        </div>
      </div>
    </>
  )
}

function Clock({ isCurrent }: { readonly isCurrent: boolean }) {
  const texts = useWallboardTexts()
  const { moment } = useFormats()
  const now = new Date(useNow(30_000)).toISOString()
  return (
    <span className="wall-clock">
      <Badge tone={isCurrent ? 'good' : 'warn'} hasDot>
        {isCurrent ? texts.live : texts.reconnecting}
      </Badge>
      <time dateTime={now}>{moment(now)}</time>
    </span>
  )
}
