import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import type { TestResult } from './documents.ts'
import { useConfigurationTexts } from './texts.ts'
import '../../../ui/badge.css'
import './configuration.css'

/** Each step of a connection test: what was tried, what was found, what to do. The service writes them, in English. */
export function TestChecks({ result, note }: { readonly result: TestResult; readonly note?: string }) {
  const texts = useConfigurationTexts()
  const { time } = useFormats()
  const section = useRef<HTMLElement>(null)
  const unchecked = result.checks.filter((check) => check.unchecked).length
  // The button that was pressed may be far away.
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <section ref={section} className="config-test" aria-label={result.ok ? texts.testPassed : texts.testFailed} role="status">
      <header className={`config-test-head ui-tone-${result.ok ? 'good' : 'bad'}`}>
        {result.ok ? <CircleCheck aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
        <p>
          <strong>{result.ok ? texts.testPassed : texts.testFailed}</strong>
          {result.ok && unchecked > 0 && <span> {texts.unchecked(unchecked)}</span>}
          {note !== undefined && <span> {note}</span>}
        </p>
        <time dateTime={result.testedAt}>{time(result.testedAt)}</time>
      </header>
      <ol>
        {result.checks.map((check) => (
          <Check key={check.name} check={check} />
        ))}
      </ol>
    </section>
  )
}

function Check({ check }: { readonly check: TestResult['checks'][number] }) {
  const texts = useConfigurationTexts()
  const { withTimes } = useFormats()
  const { ok, unchecked, tried, found, advice } = check
  const [tone, Icon] = looks[unchecked ? 'unchecked' : !ok ? 'failed' : advice === null ? 'passed' : 'todo']
  return (
    <li className={`config-check ui-tone-${tone}`} lang="en">
      <Icon aria-hidden="true" />
      <div>
        <p className="config-check-tried">{tried}</p>
        <p className="config-check-found">{withTimes(found)}</p>
        {advice !== null && <p className="config-check-advice">{texts.whatToDo(advice)}</p>}
      </div>
    </li>
  )
}

/** `todo`: it works, and there is something to do all the same. */
const looks = {
  unchecked: ['neutral', CircleHelp],
  failed: ['bad', CircleAlert],
  passed: ['good', CircleCheck],
  todo: ['warn', TriangleAlert],
} as const
