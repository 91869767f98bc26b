import { useFormats } from '../../../i18n/format.ts'
import { Card, Section } from '../../../ui/page.tsx'
import { useHistoryTexts } from './texts.ts'

type OutcomesProps = {
  readonly outcomes: readonly { readonly disposition: string; readonly calls: number }[]
  /** The calls that could have an outcome. */
  readonly calls: number
}

const shownOutcomes = 10

/** How often each outcome was chosen. */
export function Outcomes({ outcomes, calls }: OutcomesProps) {
  const texts = useHistoryTexts()
  const { number, percent } = useFormats()
  const most = outcomes[0]?.calls ?? 0
  return (
    <Section title={texts.outcomes}>
      <Card>
        {outcomes.length === 0 ? (
          <p className="sup-none">{texts.noOutcomes}</p>
        ) : (
          <ul className="history-outcomes">
            {outcomes.slice(0, shownOutcomes).map(({ disposition, calls: count }) => (
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
