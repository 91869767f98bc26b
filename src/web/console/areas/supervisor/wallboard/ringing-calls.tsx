import { useFormats } from '../../../i18n/format.ts'
import { Card } from '../../../ui/page.tsx'
import { Timer } from '../../../ui/timer.tsx'
import { AgentCall } from './agent-columns.tsx'
import type { CallNow, Overview } from './overview.ts'
import { useWallboardTexts } from './texts.ts'

const shownCalls = 8

/** Calls that nobody has answered, and those of agents who are not signed in here: all others are beside their agent. */
export function RingingCalls({ callsNow: { calls, ringing } }: Pick<Overview, 'callsNow'>) {
  const texts = useWallboardTexts()
  const { number } = useFormats()
  const shown = calls.filter(({ phase, agentId }) => phase === 'RINGING' || agentId === null)
  return (
    <section className="sup-part" aria-label={texts.unanswered}>
      <Card isFlush>
        <header className="sup-card-head">
          <h2>
            {texts.unanswered}
            <span>{number(ringing)}</span>
          </h2>
        </header>
        {shown.length === 0 ? (
          <p className="sup-none">{texts.noRinging}</p>
        ) : (
          <ul className="wall-list">
            {shown.slice(0, shownCalls).map((call) => (
              <li key={call.id}>
                <div>
                  <AgentCall call={call} />
                  <p className="wall-note">{noteOf(call, texts)}</p>
                </div>
                {call.since !== null && <Timer since={call.since} />}
              </li>
            ))}
            {shown.length > shownCalls && <li className="wall-note">{texts.more(shown.length - shownCalls)}</li>}
          </ul>
        )}
      </Card>
    </section>
  )
}

function noteOf({ phase, agentName, campaignName }: CallNow, texts: ReturnType<typeof useWallboardTexts>): string {
  const at = agentName === null ? texts.inQueue : phase === 'RINGING' ? texts.ringsAt(agentName) : texts.talksTo(agentName)
  return `${campaignName ?? texts.noCampaign}, ${at}`
}
