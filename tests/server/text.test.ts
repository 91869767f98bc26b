import { expect, test } from 'vitest'
import { plainText } from '../../src/ports/insight.ts'

const hostile: readonly [string, string][] = [
  ['<img src=x onerror=alert(1)>He called.', 'He called.'],
  ['See https://evil.example/x?y=1 now', 'See now'],
  ['[Click](https://evil.example) here', 'Click here'],
  ['Write to javascript:alert(1) soon', 'Write to soon'],
  ['&lt;script&gt;alert(1)&lt;/script&gt; ok', 'script alert(1) /script ok'],
  ['Go to evil.example.com/path today', 'Go to today'],
  ['<scr<script>ipt>x', 'ipt x'],
  ['Call Dr.Rao at 5 p.m', 'Call Dr.Rao at 5 p.m'],
  ['＜b＞wide＜/b＞', 'wide'],
  ['a\u202Eb\u0000c', 'a b c'],
]

test.each(hostile)('plain text: %s', (text, plain) => {
  expect(plainText(text, 200)).toBe(plain)
})
