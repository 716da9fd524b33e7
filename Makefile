# The long checks, one target each; .ci/run runs them all.

LINTER  := golangci-lint
VERSION := v2.15.0
FUZZ    ?= 10s
SEEDS   ?= 500
SESSIONS ?= 20,50,100,200
TEMPORAL := v1.5.1

.DEFAULT_GOAL := help
.PHONY: help test race cover fuzz nightly resume crash cheats wave tasks fleet fleet-kills fleet-scale fleet-server bench chaos hostile agents lint demo browser ci

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

test: ## run the tests
	go test ./...

race: ## run the tests with the race detector
	go test -race -timeout 50m ./...

cover: ## measure the coverage, and fail where it is too low; RACE=1: with the race detector
	.ci/cover

fuzz: ## run each fuzz target for $(FUZZ)
	.ci/fuzz $(FUZZ)

nightly: ## run each fuzz target for half an hour
	.ci/fuzz 30m

resume: ## stop and kill a run at every point, take up each older session: all come to the same end; give every answer through every mouth
	RESUME_FULL=1 go test ./cmd -run 'TestResume|TestKilled|TestCtrlC|TestEveryGate|TestOneOfTwo|TestOlder' -count 1 -timeout 60m

crash: ## hit the real program at its system calls: kill it, cut the power, fail the call (Linux, strace; FULL=1 all of it)
	.ci/crash

cheats: ## have an agent play a tenth of the cheats and honest changes through the whole program, in all languages (FULL=1 all, SEED=N others)
	.ci/tools
	cd cmd && go test -run TestCheatingAgent -count 1 -timeout 60m -share $(if $(FULL),1,10) -seed $(or $(SEED),1)

wave: ## compare a wave of forty sleeping tasks with the least time that it could take
	go test ./cmd -run '^$$' -bench BenchmarkWave -benchtime 1x -timeout 30m

tasks: ## work through a task file with kills in between: alone, and with eight workers at once
	RESUME_FULL=1 go test ./cmd -run 'TestAHundredTasks|TestWorkersThat' -count 1 -timeout 30m

fleet: ## play random sessions as a Temporal workflow and on one machine: state and journal are the same (SEEDS=N sessions)
	cd temporal && go vet ./... && go run go.temporal.io/sdk/contrib/tools/workflowcheck@v0.6.0 -test=false ./flow ./account
	cd temporal && go test ./flow -rapid.checks $(SEEDS) -count 1 -timeout 30m && go test $$(go list ./... | grep -v /flow) -count 1 -timeout 30m

fleet-kills: .tools/temporal-$(TEMPORAL) $(if $(SERVER),.tools/temporal-server-$(SERVER)) ## run sessions on real workers and Temporal's development server: kill them, cut networks, take the hub away (SEEDS=N random scenes, SCENES=killed some, SERVER=v1.32.0 on that server)
	cd temporal && TEMPORAL_SERVER=$(if $(SERVER),$(CURDIR)/.tools/temporal-server-$(SERVER)) TEMPORAL_CLI=$(CURDIR)/.tools/temporal-$(TEMPORAL) FLEET_SEEDS=$(if $(filter 500,$(SEEDS)),1,$(SEEDS)) go test ./cmd -run 'TestAFleet/($(SCENES))' -count 1 -timeout 60m
	$(if $(SCENES),,cd temporal && TEMPORAL_CLI=$(CURDIR)/.tools/temporal-$(TEMPORAL) go test ./flow -run TestAServersHistory -count 1 -timeout 20m)

fleet-scale: .tools/temporal-$(TEMPORAL) ## measure 20 to 200 sessions at once on Temporal's development server (up to 60 minutes; SESSIONS=20,50 others)
	cd temporal && TEMPORAL_CLI=$(CURDIR)/.tools/temporal-$(TEMPORAL) FLEET_SCALE=$(SESSIONS) go test ./flow -run TestScale -v -count 1 -timeout 65m

fleet-server: .tools/temporal-$(TEMPORAL) ## build Temporal's command line program, which has a development server

.tools/temporal-$(TEMPORAL):
	GOBIN=$(CURDIR)/.tools go install github.com/temporalio/cli/cmd/temporal@$(TEMPORAL)
	mv .tools/temporal $@

.tools/temporal-server-%:
	GOBIN=$(CURDIR)/.tools go install go.temporal.io/server/cmd/server@$*
	mv .tools/server $@

bench: ## measure the speed beside what one would otherwise have, and print a table
	bench/run

chaos: ## play a spec against personas that misbehave, by five hundred seeds (SEEDS=N others); have agents, users, checks and kills follow in any order
	CHAOS_SEEDS=$(SEEDS) go test ./cmd -run 'TestNoSeed|TestEachBehaviour|TestEachScene' -count 1 -timeout 30m
	go test ./autopilot/changes -run TestWhateverHappens -rapid.checks 40 -count 1 -timeout 10m

hostile: ## look at a hostile repository (with strace, where it is), attack git from within, have tools change it as they do
	RESUME_FULL=1 go test ./cmd -run 'TestWhatOnlyLooks|TestAttacks|TestToolsRaise|TestTwoSessions' -count 1 -timeout 30m

agents: ## install the known agent programs (1.3 GB, from npm), for go test ./... -run RealAgents
	.ci/agents

lint: .tools/$(LINTER)-$(VERSION) ## run the linters
	.tools/$(LINTER)-$(VERSION) run ./...
	cd temporal && ../.tools/$(LINTER)-$(VERSION) run ./...

.tools/$(LINTER)-$(VERSION):
	GOBIN=$(CURDIR)/.tools go install github.com/golangci/golangci-lint/v2/cmd/$(LINTER)@$(VERSION)
	mv .tools/$(LINTER) $@

demo: ## run the example from beginning to end
	go run ./cmd/autopilot demo

browser: ## drive autopilot serve in Chromium: every kind of question, a run watched, on desktop and phone (BROWSER_SHOTS=DIR keeps pictures, FULL=1 all answers)
	.ci/browser
	BROWSER=1 $(if $(FULL),RESUME_FULL=1) go test ./cmd -run TestBrowser -count 1 -parallel 4 -timeout 20m

ci: ## everything
	.ci/run
