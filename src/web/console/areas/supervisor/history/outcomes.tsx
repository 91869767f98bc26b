import { useFormats } from '../../../i18n/format.ts'
import { Card, Section } from '../../../ui/page.tsx'
import { useHistoryTexts } from './texts.ts'

type OutcomesProps = {
  readonly outcomes: readonly { readonly disposition: string; readonly calls: number }[]
  /** The calls that could have an outcome, and those of them that have none. */
  readonly calls: number
  readonly withoutOutcome: number
}

const shownOutcomes = 10

/** How often each outcome was chosen. */
export function Outcomes({ outcomes: chosen, calls, withoutOutcome }: OutcomesProps) {
  const texts = useHistoryTexts()
  const { number, percent } = useFormats()
  const none = withoutOutcome === 0 ? [] : [{ disposition: texts.noOutcome, calls: withoutOutcome }]
  const outcomes = [...chosen.slice(0, shownOutcomes), ...none]
  const most = Math.max(chosen[0]?.calls ?? 0, withoutOutcome)
  return (
    <Section title={texts.outcomes}>
      <Card>
        {outcomes.length === 0 ? (
          <p className="sup-none">{texts.noOutcomes}</p>
        ) : (
          <ul className="history-outcomes">
            {outcomes.map(({ disposition, calls: count }) => (
              <li key={disposition}>
                <span>{disposition}</span>
                <span className="numbers">{`${number(count)} · ${percent(count / Math.max(calls, count))}`}</span>
                <span className="history-bar" style={{ inlineSize: `${(100 * count) / most}%` }} aria-hidden="true" />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  )
}
