import { useFormats } from '../../../i18n/format.ts'
import { type ShownState, shownState } from '../agent-rows.ts'
import { stateOrder, stateTones } from '../state-tones.ts'
import type { AgentRow } from './overview.ts'
import { useWallboardTexts } from './texts.ts'

export type StateChoice = ShownState | 'ALL'
type StateFilterProps = {
  readonly agents: readonly AgentRow[]
  readonly value: StateChoice
  readonly onChange: (value: StateChoice) => void
}

/** How many agents are in which state; a press shows only those. */
export function StateFilter({ agents, value, onChange }: StateFilterProps) {
  const texts = useWallboardTexts()
  const { number } = useFormats()
  const countOf = (state: ShownState): number => agents.filter((agent) => shownState(agent) === state).length
  const states = stateOrder.filter((state) => countOf(state) > 0 || state === value)
  return (
    <div className="wall-states">
      <div className="wall-states-bar" aria-hidden="true">
        {states.map((state) => (
          <span key={state} className={`ui-tone-${stateTones[state]}`} data-state={state} style={{ flexGrow: countOf(state) }} />
        ))}
      </div>
      <div className="wall-states-list" role="group" aria-label={texts.showState}>
        {(['ALL', ...states] as const).map((state) => (
          <button
            key={state}
            type="button"
            className={state === 'ALL' ? 'wall-state' : `wall-state ui-tone-${stateTones[state]}`}
            data-state={state}
            aria-pressed={value === state}
            onClick={() => onChange(value === state ? 'ALL' : state)}
          >
            {state !== 'ALL' && <span className="ui-dot" aria-hidden="true" />}
            {state === 'ALL' ? texts.everybody : texts[state]}
            <span className="numbers">{number(state === 'ALL' ? agents.length : countOf(state))}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
