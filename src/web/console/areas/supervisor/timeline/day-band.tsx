import { Card } from '../../../ui/page.tsx'
import { stateOrder, stateTones } from '../state-tones.ts'
import { useClinicTime } from './clinic-time.ts'
import { hoursOf, placeOf, type Span, spanOfCall, spanOfState } from './spans.ts'
import { useDayTexts } from './texts.ts'
import type { Timeline } from './timeline-query.ts'

type DayBandProps = { readonly timeline: Timeline; readonly shown: Span; readonly now: number }

/** The day as two lanes, states and calls. The tables have the same in words. */
export function DayBand({ timeline: { states, calls, timeZone }, shown, now }: DayBandProps) {
  const texts = useDayTexts()
  const time = useClinicTime(timeZone)
  return (
    <section className="sup-part" aria-label={texts.day}>
      <Card isFlush>
        <header className="sup-card-head">
          <h2>{texts.day}</h2>
          <ul className="day-legend">
            {stateOrder
              .filter((state) => states.some((one) => one.state === state))
              .map((state) => (
                <li key={state} className={`ui-tone-${stateTones[state]}`} data-state={state}>
                  <span className="ui-dot" aria-hidden="true" />
                  {texts[state]}
                </li>
              ))}
          </ul>
        </header>
        <div className="day-scroll" tabIndex={0} role="group" aria-label={texts.day}>
          <div className="day-band" role="img" aria-label={texts.describe(time(shown.from), time(shown.to))}>
            {hoursOf(shown).map((hour) => (
              <span key={hour} className="day-hour numbers" style={{ left: placeOf({ from: hour, to: hour }, shown).left }}>
                {time(hour)}
              </span>
            ))}
            <div className="day-lane" data-lane="states">
              {states.map((state) => (
                <span
                  key={`${state.from} ${state.state}`}
                  className={`ui-tone-${stateTones[state.state]}`}
                  data-state={state.state}
                  style={placeOf(spanOfState(state, now), shown)}
                  title={`${state.reason ?? texts[state.state]}, ${time(state.from)}`}
                />
              ))}
            </div>
            <div className="day-lane" data-lane="calls">
              {calls.map((call) => (
                <span
                  key={call.ucid}
                  data-phase={call.phase}
                  style={placeOf(spanOfCall(call, now), shown)}
                  title={`${texts[call.direction]}, ${time(call.startedAt)}`}
                />
              ))}
            </div>
          </div>
        </div>
        <p className="day-zone">{texts.zone(timeZone)}</p>
      </Card>
    </section>
  )
}
