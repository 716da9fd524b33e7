// Command hello is the least that a program with cobra and viper does: start-up is compared with it.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

func main() {
	v := viper.New()
	v.SetDefault("greeting", "hello")
	v.SetConfigFile("hello.yaml")
	v.SetEnvPrefix("HELLO")
	v.AutomaticEnv()
	root := &cobra.Command{Use: "hello", Short: "Say hello", RunE: func(c *cobra.Command, _ []string) error {
		if err := v.ReadInConfig(); err != nil && !os.IsNotExist(err) {
			return err
		}
		_, err := fmt.Fprintln(c.OutOrStdout(), v.GetString("greeting"))
		return err
	}}
	root.Flags().String("greeting", "hello", "what is said")
	_ = v.BindPFlag("greeting", root.Flags().Lookup("greeting"))
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}
