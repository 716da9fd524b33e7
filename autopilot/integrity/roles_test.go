package integrity

import "testing"

func TestRolesOfFiles(t *testing.T) {
	for role, paths := range map[Role][]string{
		Work: {
			"calc.go", "src/calc.js", "src/lib.rs", "README.md", "spec/spec.go", "internal/contest/contest.go", "docs/testing.md", "src/main/java/Calc.java", "latest.py",
			"src/mocks.go", "testing.go", "app/models/test.rb.erb", "attestation/x.go",
		},
		Test: {
			"calc_test.go", "a/b/calc_test.go", "test_calc.py", "tests/test_calc.py", "pkg/calc_test.py", "src/calc.test.ts", "src/calc.spec.jsx", "src/__tests__/calc.js",
			"tests/calc.rs", "src/test/java/CalcTest.java", "CalcTests.cs", "spec/calc_spec.rb", "run.bats",
		},
		Data: {
			"testdata/x.json", "pkg/testdata/a/b.txt", "tests/fixtures/sums.yaml", "src/__fixtures__/sums.csv", "src/__snapshots__/a.test.js.snap", "testdata/report.golden", "report.golden",
		},
		Shared: {
			"conftest.py", "tests/conftest.py", "pytest.ini", "tox.ini", "internal/testutil/equal.go", "jest.config.js", "vitest.config.ts", "jest.setup.js", "src/setupTests.ts", ".mocharc.yml",
			"test/helper.js", "src/test/resources/data.json", "tests/common/mod.rs",
		},
		Both: {"package.json", "web/package.json", "go.mod", "pyproject.toml", "setup.cfg", "Cargo.toml", "pom.xml", "Makefile", "vite.config.ts", "build.gradle.kts", ".env.test"},
	} {
		for _, path := range paths {
			if got := RoleOf(path); got != role {
				t.Errorf("%s: got %q, want %q", path, got, role)
			}
		}
	}
}
