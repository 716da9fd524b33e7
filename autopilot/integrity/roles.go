package integrity

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

// Role is what a file has to do with judging.
type Role string

// The roles of a file.
const (
	Work   Role = ""       // it is judged
	Test   Role = "test"   // it holds tests
	Data   Role = "data"   // tests read it: fixtures, golden files, snapshots
	Shared Role = "shared" // tests rest on it: helpers, settings and hooks of the test program
	Both   Role = "both"   // it builds and judges, such as package.json
)

// row are the files of one role, as patterns of doublestar. A path has the role of the first row that it fits.
type row struct {
	role  Role
	files []string
}

// judging tells the roles. A language, or a test program, that is not here yet is a few patterns more.
var judging = []row{
	{Work, []string{"**/{node_modules,vendor,third_party,dist,target,.venv,venv}/**"}},
	{Both, []string{
		"**/go.{mod,work}", "**/package.json", "**/.npmrc", "**/tsconfig*.json", "**/{vite,babel}.config.*", "**/.babelrc*", "**/deno.json{,c}",
		"**/{pyproject.toml,setup.cfg,setup.py}", "**/Cargo.toml", "**/.cargo/config{,.toml}", "**/build.rs",
		"**/{pom.xml,build.gradle,build.gradle.kts,settings.gradle,settings.gradle.kts}", "**/composer.json", "**/Rakefile", "**/CMakeLists.txt",
		"**/{Makefile,makefile,GNUmakefile,justfile,Justfile}", "**/*.mk", "**/Taskfile.y{,a}ml", "**/.env{,.*}", "**/.envrc",
	}},
	// What expects, and is rewritten by a test program itself.
	{Data, []string{
		"**/{__snapshots__,__image_snapshots__,golden,goldens,expected,approvals}/**", "**/*.{snap,ambr,golden}", "**/*.golden.*", "**/*.approved.*", "**/*-snapshots/*.png",
	}},
	// Settings and hooks of test programs.
	{Shared, []string{
		"**/conftest.py", "**/{pytest,.pytest,tox}.ini", "**/pytest.toml", "**/.coveragerc", "**/noxfile.py", "**/{sitecustomize,usercustomize}.py",
		"**/{jest,vitest,playwright,cypress,karma}.{config,conf,setup,workspace,env}.*", "**/setup{Tests,-tests,Jest}.*", "**/.mocharc*", "**/.{nyc,c8}rc*",
		"**/.rspec", "**/phpunit.xml*", "**/junit-platform.properties",
	}},
	{Data, []string{"**/{testdata,test-data,test_data,fixtures,fixture,__fixtures__,__mocks__}/**"}},
	{Test, []string{
		"**/*_test.go", "**/{test_*,*_test,tests}.py", "**/*.{test,spec}.*", "**/__tests__/**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}",
		"**/tests/*.rs", "**/tests.rs", "**/src/{test,*Test}/**/*{Test,Tests,IT,Spec}.*", "**/*{Test,Tests,IT,Spec}.{java,kt,kts,groovy,scala,cs,php,swift,dart}", "**/Test*.java",
		"**/*_{spec,test}.{rb,lua,exs,dart,c,cc,cpp,zig}", "**/test_*.rb", "**/*.{bats,feature}",
	}},
	// The rest of the folders that tests have for themselves.
	{Shared, []string{
		"**/{test,tests,__tests__,e2e,cypress}/**", "**/{testutil,testutils,testhelper,testhelpers,testsupport,testlib,test_utils,test-utils}/**",
		"**/src/{test,*Test}/**", "**/spec/**/*.rb",
	}},
}

// Judges says whether a file of that role decides whether code is right, and nothing else.
func (r Role) Judges() bool { return r == Test || r == Data || r == Shared }

// RoleOf says what a file, by its path with slashes, has to do with judging.
func RoleOf(path string) Role {
	for _, r := range judging {
		if slices.ContainsFunc(r.files, func(glob string) bool { return doublestar.MatchUnvalidated(glob, path) }) {
			return r.role
		}
	}
	return Work
}
