package integrity

import (
	"strings"
	"testing"
)

// frame is a test file of a language around the lines of one test.
type frame struct{ path, head, tail string }

var frames = map[string]frame{
	"py": {"test_calc.py", "import os\nimport calc\n\ndef test_add():\n", ""},
	"ut": {"test_calc.py", "import os\nimport calc\nimport unittest\n\nclass CalcTest(unittest.TestCase):\n    def test_add(self):\n", ""},
	"js": {"calc.test.js", "const { add } = require('./calc')\ntest('adds', () => {\n", "})\n"},
	"rs": {"tests/calc.rs", "use calc::add;\n\n#[test]\nfn adds() {\n", "}\n"},
	"ja": {"src/test/java/CalcTest.java", "class CalcTest {\n    @Test\n    void adds() {\n", "    }\n}\n"},
}

// within puts the lines of a test, which stand behind one another with bars
// between them, into their frame; spaces behind a bar indent.
func (f frame) within(lines string) string {
	depth := strings.Repeat(" ", indent(lastLine(f.head))+4)
	var b strings.Builder
	b.WriteString(f.head)
	for text := range strings.SplitSeq(strings.ReplaceAll(lines, "||", "\x00"), "|") {
		b.WriteString(depth + strings.ReplaceAll(text, "\x00", "||") + "\n")
	}
	return b.String() + f.tail
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[len(lines)-1]
}

func reading(language, before, after string) []Finding {
	f := frames[language]
	return Integrity([]Change{{Path: f.path, Status: Modified, Before: []byte(f.within(before)), After: []byte(f.within(after))}}, Allowed{Owns: []string{"**"}})
}

// weaker are the lines of a test and what became of them.
var weaker = []struct{ language, before, after string }{
	// anything will do
	{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) == ANY`},
	{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) == mock.ANY`},
	{"py", `assert calc.add(1, 2) == 3`, `assert ANY == calc.add(1, 2)`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `self.assertEqual(calc.add(1, 2), mock.ANY)`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `self.assertEqual(ANY, calc.add(1, 2))`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `self.assertFalse(calc.add(1, 2) == 4)`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `self.assertTrue(calc.add(1, 2) != 4)`},
	{"py", `assert calc.add(1, 2) == 3`, `assert not calc.add(1, 2) == 4`},
	{"js", `expect(add(1, 2)).toEqual(3)`, `expect(add(1, 2)).toEqual(expect.anything())`},
	{"js", `expect(add(1, 2)).toEqual(3)`, `expect(add(1, 2)).toEqual(expect.any(Number))`},
	{"js", `expect(add(1, 2)).toEqual({ sum: 3 })`, `expect(add(1, 2)).toEqual(expect.any(Object))`},
	{"js", `expect(add(1, 2)).toBe(3)`, `expect(add(1, 2)).not.toBe(4)`},
	{"js", `assert.strictEqual(add(1, 2), 3)`, `assert.ok(add(1, 2) !== 4)`},
	{"js", `assert.strictEqual(add(1, 2), 3)`, `assert.ok(add(1, 2) >= 0)`},
	{"js", `assert.strictEqual(add(1, 2), 3)`, `assert.ok(add(1, 2))`},
	{"js", `assert.strictEqual(add(1, 2), 3)`, `assert(add(1, 2))`},
	{"js", `expect(add(1, 2) === 3).toBe(true)`, `expect(add(1, 2) === 3).toBeDefined()`},
	{"js", `expect(add(1, 2) === 3).toBe(true)`, `expect(add(1, 2) === 4).toBe(false)`},
	{"js", `assert.ok(add(1, 2) === 3)`, `assert.ok(add(1, 2) !== 4)`},
	{"js", `assert.ok(add(1, 2) === 3)`, `assert.ok(add(1, 2) === add(1, 2))`},
	{"js", `expect(add(1, 2) === 3).toBe(true)`, `expect(add(1, 2) === add(1, 2)).toBe(true)`},
	{"js", `sinon.assert.calledWith(spy, 3)`, `sinon.assert.called(spy)`},
	{"ja", `assertEquals(3, add(1, 2));`, `assertFalse(add(1, 2) == 4);`},
	{"ja", `assertThat(add(1, 2)).isEqualTo(3);`, `assertThat(add(1, 2)).isNotEqualTo(4);`},
	{"ja", `assertThat(add(1, 2), equalTo(3));`, `assertThat(add(1, 2), anything());`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `assert!(!(add(1, 2) == 4));`},
	{"rs", `assert_eq!(parse("3"), Ok(3));`, `assert!(matches!(parse("3"), _));`},
	{"rs", `assert_eq!(parse("3"), Ok(3));`, `assert!(matches!(parse("3"), Ok(_)));`},
	{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) in (3, -1)`},
	{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) in range(100)`},
	{"py", `assert calc.add(1, 2) == 3`, `assert str(calc.add(1, 2))`},
	{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) is not None`},
	{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) == 3 or calc.add(1, 2) == -1`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `self.assertIn(calc.add(1, 2), [3, -1])`},
	{"js", `expect(add(1, 2)).toBe(3)`, `expect([3, -1]).toContain(add(1, 2))`},
	{"js", `expect(add(1, 2)).toBe(3)`, `expect(String(add(1, 2))).toMatch(/./)`},
	{"js", `expect(sum([1, 2])).toEqual({ sum: 3 })`, `expect(sum([1, 2])).toMatchObject({})`},
	{"js", `expect(sum([1, 2])).toEqual({ sum: 3 })`, `expect(sum([1, 2])).toEqual(expect.objectContaining({}))`},
	{"js", `assert.equal(add(1, 2), 3)`, `assert.match(String(add(1, 2)), /./)`},
	{"js", `assert.equal(add(1, 2), 3)`, `assert.ok([3, -1].includes(add(1, 2)))`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `assert!([3, -1].contains(&add(1, 2)));`},
	{"ja", `assertEquals(3, add(1, 2));`, `assertTrue(List.of(3, -1).contains(add(1, 2)));`},
	// a failure is passed over
	{"py", `assert calc.add(1, 2) == 3`, `try:|    assert calc.add(1, 2) == 3|finally:|    return`},
	{"js", `assert.equal(add(1, 2), 3)`, `try {|  assert.equal(add(1, 2), 3)|} finally {|  return|}`},
	{"ja", `assertEquals(3, add(1, 2));`, `try {|    assertEquals(3, add(1, 2));|} finally {|    return;|}`},
	// nothing is asked
	{"js", `expect(add(1, 2)).toBe(3)`, `expect(add(1, 2))`},
	{"js", `expect(add(1, 2)).toBe(3);`, `expect(add(1, 2));`},
	{"js", `expect(add(1, 2)).toBe(3);`, `expect(add(1, 2)).toBe;`},
	{"js", `expect(|  add(1, 2),|).toBe(3);`, `expect(|  add(1, 2),|);`},
	{"js", `expect(add(1, 2)).toBe(3);|expect(add(2, 2)).toBe(4);`, `expect(add(1, 2)).toBe(3);|expect(add(2, 2));`},
	{"ja", `assertThat(add(1, 2)).isEqualTo(3);`, `assertThat(add(1, 2));`},
	// wider
	{"ut", `self.assertAlmostEqual(calc.half(3), 1.5, places=7)`, `self.assertAlmostEqual(calc.half(3), 1.5, delta=1000)`},
	{"ut", `self.assertAlmostEqual(calc.half(3), 1.5)`, `self.assertAlmostEqual(calc.half(3), 1.5, places=0)`},
	{"ut", `self.assertAlmostEqual(calc.half(3), 1.5, places=7)`, `self.assertAlmostEqual(calc.half(3), 1.5, places=-3)`},
	{"ut", `self.assertAlmostEqual(calc.half(3), 1.5, 7)`, `self.assertAlmostEqual(calc.half(3), 1.5, delta=2)`},
	{"ut", `self.assertEqual(calc.half(3), 1.5)`, `self.assertAlmostEqual(calc.half(3), 1.5, delta=1000)`},
	{"ut", `self.assertEqual(calc.half(3), 1.5)`, `self.assertAlmostEqual(calc.half(3), 1.5, delta=float("inf"))`},
	{"py", `assert calc.half(3) == pytest.approx(1.5, abs=1e-9)`, `assert calc.half(3) == pytest.approx(1.5, abs=1e3)`},
	{"py", `assert calc.half(3) == pytest.approx(1.5)`, `assert calc.half(3) == pytest.approx(1.5, abs=1e3)`},
	{"py", `assert calc.half(3) == pytest.approx(1.5, abs=1e-9)`, `assert calc.half(3) == pytest.approx(1.5, rel=10)`},
	{"py", `assert calc.half(3) == 1.5`, `assert calc.half(3) == pytest.approx(1.5, abs=100)`},
	{"py", `assert math.isclose(calc.half(3), 1.5, rel_tol=1e-9)`, `assert math.isclose(calc.half(3), 1.5, abs_tol=50)`},
	{"py", `assert math.isclose(calc.half(3), 1.5)`, `assert math.isclose(calc.half(3), 1.5, rel_tol=0.9)`},
	{"py", `assert math.isclose(calc.half(3), 1.5, rel_tol=1e-9)`, `assert math.isclose(calc.half(3), 1.5, rel_tol=math.inf)`},
	{"py", `assert abs(calc.half(3) - 1.5) < 1e-9`, `assert abs(calc.half(3) - 1.5) < 10`},
	{"py", `assert abs(calc.half(3) - 1.5) < 1e-9`, `assert calc.half(3) == pytest.approx(1.5, abs=10)`},
	{"py", `np.testing.assert_allclose(calc.half(3), 1.5, rtol=1e-7)`, `np.testing.assert_allclose(calc.half(3), 1.5, atol=5)`},
	{"js", `expect(half(3)).toBeCloseTo(1.5, 10)`, `expect(half(3)).toBeCloseTo(1.5, -3)`},
	{"js", `expect(half(3)).toBeCloseTo(1.5)`, `expect(half(3)).toBeCloseTo(1.5, -3)`},
	{"js", `expect(half(3)).toBe(1.5)`, `expect(half(3)).toBeCloseTo(1.5, -1)`},
	{"js", `expect(half(3)).to.be.closeTo(1.5, 1e-9)`, `expect(half(3)).to.be.closeTo(1.5, Infinity)`},
	{"js", `expect(half(3)).toBeCloseTo(1.5, 10)`, `expect(Math.abs(half(3) - 1.5)).toBeLessThan(5)`},
	{"ja", `assertEquals(1.5, half(3), 0.0001);`, `assertEquals(1.5, half(3), 100.0);`},
	{"ja", `assertEquals(1.5, half(3), 0.0001);`, `assertEquals(1.5, half(3), Double.MAX_VALUE);`},
	{"ja", `assertEquals(1.5, half(3));`, `assertEquals(1.5, half(3), 100.0);`},
	{"ja", `assertThat(half(3)).isEqualTo(1.5);`, `assertThat(half(3)).isCloseTo(1.5, within(50.0));`},
	{"rs", `assert_eq!(half(3.0), 1.5);`, `assert!((half(3.0) - 1.5).abs() < 50.0);`},
	{"rs", `assert!((half(3.0) - 1.5).abs() < 1e-9);`, `assert!((half(3.0) - 1.5).abs() < f64::MAX);`},
	// under a condition
	{"py", `assert calc.add(1, 2) == 3`, `if os.environ.get("RUN_STRICT"):|    assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `if "RUN_STRICT" in os.environ:|    assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `if os.getenv("RUN_STRICT"): assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `strict = os.environ.get("RUN_STRICT")|if strict:|    assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `if __debug__ and calc.DEBUG:|    assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `if sys.platform == "plan9":|    assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `if not os.environ.get("RUN_STRICT"):|    return|assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) == 3 or not os.environ.get("RUN_STRICT")`},
	{"py", `assert calc.add(1, 2) == 3|assert calc.add(2, 2) == 4`, `assert calc.add(1, 2) == 3|if os.environ.get("CI"):|    assert calc.add(2, 2) == 4`},
	{"py", `assert calc.add(1, 2) == 3`, `while os.environ.get("RUN_STRICT"):|    assert calc.add(1, 2) == 3|    break`},
	{"js", `assert.equal(add(1, 2), 3)`, `if (process.env.STRICT) {|  assert.equal(add(1, 2), 3)|}`},
	{"js", `assert.equal(add(1, 2), 3)`, `if (process.env.STRICT) assert.equal(add(1, 2), 3)`},
	{"js", `assert.equal(add(1, 2), 3)`, `process.env.STRICT && assert.equal(add(1, 2), 3)`},
	{"js", `assert.equal(add(1, 2), 3)`, `const { STRICT } = process.env|if (STRICT) {|  assert.equal(add(1, 2), 3)|}`},
	{"js", `assert.equal(add(1, 2), 3)`, `if (!process.env.STRICT) return|assert.equal(add(1, 2), 3)`},
	{"js", `assert.equal(add(1, 2), 3)`, `if (process.platform === 'aix') {|  assert.equal(add(1, 2), 3)|}`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `if std::env::var("STRICT").is_ok() {|    assert_eq!(add(1, 2), 3);|}`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `if cfg!(feature = "strict") {|    assert_eq!(add(1, 2), 3);|}`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `#[cfg(feature = "strict")]|assert_eq!(add(1, 2), 3);`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `#[cfg(not(debug_assertions))]|{|    assert_eq!(add(1, 2), 3);|}`},
	{"ja", `assertEquals(3, add(1, 2));`, `if (System.getenv("STRICT") != null) {|    assertEquals(3, add(1, 2));|}`},
	{"ja", `assertEquals(3, add(1, 2));`, `if (Boolean.getBoolean("strict")) {|    assertEquals(3, add(1, 2));|}`},
	// a failure is wanted
	{"py", `assert calc.add(1, 2) == 3`, `with pytest.raises(AssertionError):|    assert calc.add(1, 2) == 3`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `with self.assertRaises(AssertionError):|    self.assertEqual(calc.add(1, 2), 3)`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `self.assertRaises(AssertionError, self.assertEqual, calc.add(1, 2), 3)`},
	{"js", `assert.equal(add(1, 2), 3)`, `assert.throws(() => assert.equal(add(1, 2), 3))`},
	{"js", `assert.equal(add(1, 2), 3)`, `assert.throws(() => {|  assert.equal(add(1, 2), 3)|})`},
	{"js", `expect(add(1, 2)).toBe(3)`, `expect(() => expect(add(1, 2)).toBe(3)).toThrow()`},
	{"ja", `assertEquals(3, add(1, 2));`, `assertThrows(AssertionError.class, () -> assertEquals(3, add(1, 2)));`},
	// nobody calls it
	{"py", `assert calc.add(1, 2) == 3`, `def check():|    assert calc.add(1, 2) == 3`},
	{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `check = lambda: self.assertEqual(calc.add(1, 2), 3)`},
	{"js", `assert.equal(add(1, 2), 3)`, `const check = () => assert.equal(add(1, 2), 3)`},
	{"js", `assert.equal(add(1, 2), 3)`, `const check = () => {|  assert.equal(add(1, 2), 3)|}`},
	{"js", `assert.equal(add(1, 2), 3)`, `function check() {|  assert.equal(add(1, 2), 3)|}`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `let _check = || assert_eq!(add(1, 2), 3);`},
	{"ja", `assertEquals(3, add(1, 2));`, `Runnable check = () -> assertEquals(3, add(1, 2));`},
	// nobody waits for it
	{"js", `await expect(load()).resolves.toBe(3)`, `expect(load()).resolves.toBe(3)`},
	{"js", `await assert.rejects(load())`, `assert.rejects(load())`},
	{"js", `assert.equal(add(1, 2), 3)`, `setTimeout(() => assert.equal(add(1, 2), 3))`},
	{"js", `assert.equal(add(1, 2), 3)`, `setImmediate(() => {|  assert.equal(add(1, 2), 3)|})`},
	{"py", `assert calc.add(1, 2) == 3`, `yield|assert calc.add(1, 2) == 3`},
	{"rs", `assert_eq!(add(1, 2), 3);`, `std::thread::spawn(|| assert_eq!(add(1, 2), 3));`},
	{"ja", `assertEquals(3, add(1, 2));`, `new Thread(() -> assertEquals(3, add(1, 2))).start();`},
	// of itself
	{"py", `assert calc.add(1, 2) == 3`, `if calc.add(1, 2) == 3:|    assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `for _ in []:|    assert calc.add(1, 2) == 3`},
	{"py", `assert calc.add(1, 2) == 3`, `for _ in range(0):|    assert calc.add(1, 2) == 3`},
	{"js", `assert.equal(add(1, 2), 3)`, `for (const _ of []) {|  assert.equal(add(1, 2), 3)|}`},
}

func TestWeakerChecksAreCritical(t *testing.T) {
	for _, tc := range weaker {
		t.Run(tc.language+" "+tc.after, func(t *testing.T) {
			found := reading(tc.language, tc.before, tc.after)
			if critical := of(Critical, found); len(critical) != 1 || critical[0].Line == 0 {
				t.Errorf("%q became %q: %+v", tc.before, tc.after, found)
			}
		})
	}
}

func TestChecksThatKeepTheirForceAreNotAccused(t *testing.T) {
	for _, tc := range []struct{ language, before, after string }{
		{"js", `assert.ok(add(1, 2) === 3)`, `assert.equal(add(1, 2), 3)`},
		{"js", `assert(add(1, 2) === 3)`, `assert.strictEqual(add(1, 2), 3)`},
		{"js", `expect(add(1, 2) === 3).toBe(true)`, `expect(add(1, 2)).toBe(3)`},
		{"js", `expect(add(1, 2) === 3).toBeTruthy()`, `expect(add(1, 2)).toBe(3)`},
		{"js", `assert.equal(add(1, 2), 3)`, `assert.ok(add(1, 2) === 3)`},
		{"js", `expect(add(1, 2)).toBe(3)`, `expect(add(1, 2) === 3).toBe(true)`},
		{"js", `assert.strictEqual(add(1, 2), 3)`, `expect(add(1, 2)).toBe(3)`},
		{"js", `expect(add(1, 2)).toBe(3)`, `expect(|  add(1, 2),|).toBe(3)`},
		{"js", `expect(add(1, 2)).toBe(3)`, `expect(add(1, 2))|  .toBe(3)`},
		{"js", `expect(add(1, 2)).toBe(3)`, `const sum = expect(add(1, 2))|sum.toBe(3)`},
		{"js", `expect(add(1, 2)).toBe(3)`, `expect(add(1, 2)).to.equal(3)`},
		{"js", `assert.equal(add(1, 2), 3)`, `process.env.HOME_DIR = '/x'|assert.equal(add(1, 2), 3)`},
		{"js", `assert.equal(add(1, 2), 3)`, `const check = (a, b, want) => assert.equal(add(a, b), want)|check(1, 2, 3)`},
		{"js", `assert.throws(() => add(1))`, `expect(() => add(1)).toThrow()`},
		{"js", `assert.equal(sep(), '/')`, `if (process.platform === 'win32') {|  assert.equal(sep(), '\\')|} else {|  assert.equal(sep(), '/')|}`},
		{"js", `expect(add(1, 2)).toBe(3)`, `expect(add(1, 2), 'the sum').toBe(3)`},
		{"js", `expect(add(1, 2)).toBe(3)`, `await waitFor(() => expect(add(1, 2)).toBe(3))`},
		{"js", `expect(add(1, 2)).toBe(3)`, `expect(add(1, 2)).toBe(3)|setTimeout(() => done(), 10)`},
		{"js", `await expect(load()).resolves.toBe(3)`, `await Promise.all([|  expect(load()).resolves.toBe(3),|])`},
		{"js", `await expect(load()).rejects.toThrow('no')`, `return expect(load()).rejects.toThrow('no')`},
		{"js", `assert.equal(add(1, 2), 3)`, `for (const env of ['a', 'b']) {|  process.env.MODE = env|  assert.equal(add(1, 2), 3)|}`},
		{"js", `assert.equal(add(1, 2), 3)`, `const old = process.env.MODE|try {|  assert.equal(add(1, 2), 3)|} finally {|  if (old) process.env.MODE = old|}`},
		{"js", `expect(half(3)).toBeCloseTo(1.5)`, `expect(half(3)).toBeCloseTo(1.5, 5)`},
		{"js", `expect(half(3)).toBe(1.5)`, `expect(half(3)).toBeCloseTo(1.5)`},
		{"js", `expect(() => add('a')).toThrow()`, `assert.throws(() => add('a'))`},
		{"js", `expect(spy).toHaveBeenCalledWith(3)`, `sinon.assert.calledWith(spy, 3)`},
		{"py", `assert calc.add(1, 2) == 3`, `with pytest.raises(ValueError):|    calc.add(None, 1)|assert calc.add(1, 2) == 3`},
		{"py", `with pytest.raises(Exception):|    calc.add(None, 1)`, `with pytest.raises(TypeError):|    calc.add(None, 1)`},
		{"py", `got = calc.add(1, 2)|assert got == 3`, `assert (|    calc.add(1, 2)|    == 3|), "the sum"`},
		{"py", `assert calc.add(1, 2) == 3`, `class Fake:|    def add(self, a, b):|        assert a == 1|        return 3|assert calc.add(1, 2) == 3`},
		{"py", `assert calc.add(1, 2) == 3`, `old = os.environ.get("MODE")|try:|    assert calc.add(1, 2) == 3|finally:|    if old:|        os.environ["MODE"] = old`},
		{"ut", `self.assertEqual(calc.add(1, 2), 3)`, `t = threading.Thread(target=calc.add)|t.start()|t.join()|self.assertEqual(calc.add(1, 2), 3)`},
		{"rs", `assert!((half(3.0) - 1.5).abs() < 1e-9);`, `assert_relative_eq!(half(3.0), 1.5, epsilon = 1e-9);`},
		{"rs", `assert_eq!(add(1, 2), 3);`, `let handle = std::thread::spawn(|| assert_eq!(add(1, 2), 3));|handle.join().unwrap();`},
		{"ja", `assertEquals(3, add(1, 2));`, `assertAll(|    () -> assertEquals(3, add(1, 2)));`},
		{"ja", `assertThrows(IllegalArgumentException.class, () -> add(null));`, `assertThatThrownBy(() -> add(null)).isInstanceOf(IllegalArgumentException.class);`},
		{"py", `assert calc.sep() == "/"`, `if sys.platform == "win32":|    assert calc.sep() == "b"|else:|    assert calc.sep() == "/"`},
		{"py", `assert calc.add(1, 2) == 3`, `monkeypatch.setitem(os.environ, "X", "1")|assert calc.add(1, 2) == 3`},
		{"py", `assert calc.add(1, 2) == 3`, `def check(a, b, want):|    assert calc.add(a, b) == want|check(1, 2, 3)`},
		{"py", `assert calc.add(1, 2) == 3`, `assert calc.add(1, 2) == 3|assert os.environ.get("X") == "1"`},
		{"py", `assert calc.half(3) == pytest.approx(1.5, abs=1e-3)`, `assert calc.half(3) == pytest.approx(1.5, abs=1e-9)`},
		{"py", `assert abs(calc.half(3) - 1.5) < 1e-9`, `assert calc.half(3) == pytest.approx(1.5, abs=1e-9)`},
		{"py", `assert calc.half(3) == 1.5`, `assert calc.half(3) == pytest.approx(1.5)`},
		{"py", `calc.add("a", 1)|assert calc.add(1, 2) == 3`, `with pytest.raises(TypeError):|    calc.add("a", 1)|assert calc.add(1, 2) == 3`},
		{"ut", `self.assertAlmostEqual(calc.half(3), 1.5, places=3)`, `assert calc.half(3) == pytest.approx(1.5, abs=1e-3)`},
		{"ut", `self.assertAlmostEqual(calc.half(3), 1.5)`, `assert calc.half(3) == pytest.approx(1.5)`},
		{"ut", `self.assertTrue(calc.add(1, 2) == 3)`, `self.assertEqual(calc.add(1, 2), 3)`},
		{"rs", `assert!(add(1, 2) == 3);`, `assert_eq!(add(1, 2), 3);`},
		{"rs", `assert_eq!(add(1, 2), 3);`, `fn check(a: i32, b: i32, want: i32) {|    assert_eq!(add(a, b), want);|}|check(1, 2, 3);`},
		{"ja", `assertEquals(3, add(1, 2));`, `assertThat(add(1, 2)).isEqualTo(3);`},
		{"ja", `assertTrue(add(1, 2) == 3);`, `assertEquals(3, add(1, 2));`},
		{"ja", `assertThat(add(1, 2)).isEqualTo(3);`, `assertThat(add(1, 2))|    .isEqualTo(3);`},
		{"ja", `assertEquals(1.5, half(3), 0.0001);`, `assertThat(half(3)).isCloseTo(1.5, within(0.0001));`},
	} {
		t.Run(tc.language+" "+tc.after, func(t *testing.T) {
			for _, f := range reading(tc.language, tc.before, tc.after) {
				t.Errorf("%q became %q: %+v", tc.before, tc.after, f)
			}
		})
	}
}
